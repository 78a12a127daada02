"""The engines, a file each; `twicetold.pipeline.ENGINES` lists them."""
