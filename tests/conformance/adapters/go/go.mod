module adapter

go 1.22

require nudge v0.0.0

replace nudge => ../../../../nudge-go
