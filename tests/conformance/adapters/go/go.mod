module adapter

go 1.24

require nudge v0.0.0

replace nudge => ../../../../nudge-go
