"""The detectors, a file each; `twicetold.pipeline.DETECTORS` lists them."""
