"""The combat process: hosts the topic `combat` of every game. The rules are in `stavka/games/<game>/`."""
