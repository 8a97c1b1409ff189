"""The diplomacy process: hosts the topic `diplomacy` of every game. The rules are in `stavka/games/<game>/`."""
