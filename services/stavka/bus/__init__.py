"""The log, the command bus and the command intake: on Kafka and embedded. Kafka, Faust and SQLite live only here.

kafka, producer, topics    log and command bus on aiokafka; topics and the gate that refuses unsound ones
sqlite, memory, tail       embedded logs and their live tail
group, dispatch            what the intakes share: sessions, order within a match, the watermark to commit
faust_intake, aiokafka_intake, local    the intakes; `group.make_intake` chooses by STAVKA_INTAKE
"""
