// Finds all coins that look like one of them. Any macro may do so: the recorder (Plugins > Macros > Record...) writes the line with run.
run("NCC Coins");
coins = getTitle();
makeRectangle(274, 235, 56, 56);
// without a template, it is what is selected in the image
run("Find Matches...", "image=[" + coins + "] minscore=0.5 overlap=0.3");
print(nResults + " coins, the second best at " + getResult("X", 1) + ", " + getResult("Y", 1));
