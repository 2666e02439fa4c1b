// Finds all coins that are similar to one of them. The recorder (Plugins > Macros > Record...) writes the line with run.
run("NCC Coins");
coins = getTitle();
makeRectangle(274, 235, 56, 56);
// without the key template, the selection in the image is the template
run("Find Matches...", "image=[" + coins + "] minscore=0.5 maxoverlap=0.3");
print(nResults + " coins, the second match at " + getResult("X", 1) + ", " + getResult("Y", 1));
