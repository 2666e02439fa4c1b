// Makes a mosaic from the tiles in a folder. Runs the command of the menu, which opens the mosaic.
#@ String (label = "Folder of the tiles") folder
#@ String (label = "Grid, columns x rows", value = "4x3") grid
#@ String (label = "Overlap, pixels or %", value = "10%") overlap
#@ CommandService commands
#@output String positions

// omitted parameters have their defaults; no dialog opens
module = commands.run("sc.fiji.ncc.command.StitchTilesCommand", true, "folder", folder, "grid", grid, "overlap", overlap, "graph", false).get()
if (module.isCanceled()) throw new IllegalArgumentException(module.getCancelReason())

// the position of each tile in pixels; module.getOutput("output") is the mosaic
mosaic = module.getOutput("mosaic")
positions = mosaic.tiles().collect { "${it.name()}: ${it.position()}, ${it.links()} links" }.join("\n")
