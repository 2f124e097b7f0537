---------------------------- MODULE WriteAheadLog ----------------------------
(* Updates go to a log in memory, the log is flushed in prefixes, pages may   *)
(* be written back only when their log record is durable. A crash loses       *)
(* memory; recovery replays.                                                  *)
EXTENDS Naturals, Sequences
CONSTANTS Page, MaxLsn
VARIABLES cache, disk, log, durable, up
vars == <<cache, disk, log, durable, up>>
Blank == [p \in Page |-> 0]
Init == cache = Blank /\ disk = Blank /\ log = <<>> /\ durable = 0 /\ up = TRUE
Write(p) == /\ up /\ Len(log) < MaxLsn
            /\ log' = Append(log, p)
            /\ cache' = [cache EXCEPT ![p] = Len(log')]
            /\ UNCHANGED <<disk, durable, up>>
FlushLog == /\ up
            /\ \E n \in (durable + 1) .. Len(log) : durable' = n
            /\ UNCHANGED <<cache, disk, log, up>>
WriteBack(p) == /\ up
                /\ cache[p] <= durable
                /\ cache[p] # disk[p]
                /\ disk' = [disk EXCEPT ![p] = cache[p]]
                /\ UNCHANGED <<cache, log, durable, up>>
Crash == /\ up
         /\ up' = FALSE
         /\ log' = SubSeq(log, 1, durable)
         /\ cache' = Blank
         /\ UNCHANGED <<disk, durable>>
Replay[n \in Nat] ==
  IF n = 0 THEN [lsn |-> disk]
  ELSE LET before == Replay[n - 1]
       IN  [before EXCEPT !.lsn[log[n]] = IF @ < n THEN n ELSE @]
Recover == /\ ~up
           /\ up' = TRUE
           /\ cache' = Replay[durable].lsn
           /\ UNCHANGED <<disk, log, durable>>
Next == \/ \E p \in Page : Write(p) \/ WriteBack(p)
        \/ FlushLog \/ Crash \/ Recover
Spec == Init /\ [][Next]_vars
LogFirst == \A p \in Page : disk[p] <= durable
Newest == up => \A p \in Page : \A n \in 1..durable : log[n] = p => cache[p] >= n
===============================================================================
