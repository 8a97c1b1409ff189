"""The supply process: hosts the topic `supply` of every game. The rules are in `stavka/games/<game>/`."""
