// Follows a region through the frames of a stack and prints its motion. Uses the Java classes in place of the command.
#@ net.imglib2.img.Img (label = "Stack") stack
#@ String (label = "Region x,y,w,h in the first frame", value = "40,30,32,32") region
#@ Integer (label = "Maximum shift between frames, pixels", value = 10) shift
#@output String motion

import net.imglib2.FinalInterval
import sc.fiji.ncc.TemplateTracking

numbers = region.split(",").collect { it.trim() as long }
tracking = TemplateTracking.ofRegions([FinalInterval.createMinSize(numbers as long[])]).maxShift(shift, shift)

// dimensions beyond the first two are frames
tracks = tracking.track(stack)
motion = tracks.of(0).collect { "frame ${it.frame() + 1}: ${it.motion()}, score ${it.score()}${it.lost() ? ', lost' : ''}" }.join("\n")
println(tracks.rankings().first().explain())
