"""The cards process: hosts the topic `cards` of every game. The rules are in `stavka/games/<game>/`."""
