"""The movement process: hosts the topic `movement` of every game. The rules are in `stavka/games/<game>/`."""
