"""What a person or another program gets to see: tables, files, manifests."""
