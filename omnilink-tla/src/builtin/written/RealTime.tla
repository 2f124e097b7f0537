------------------------------- MODULE RealTime -------------------------------
\* Timed behaviours after "Specifying Systems", chapter 9. They are temporal formulas, which nothing evaluates.
EXTENDS Reals
VARIABLE now

RTBound(A, v, D, E) ==
    LET Ticks(timer) == timer' = IF <<A>>_v \/ ~(ENABLED <<A>>_v)' THEN 0 ELSE timer + (now' - now)
        Timer(timer) == timer = 0 /\ [][Ticks(timer)]_<<timer, v, now>>
    IN \EE timer : Timer(timer) /\ [](timer <= E) /\ [][A => timer >= D]_v

RTnow(v) ==
    LET Passes == now' \in {later \in Real : later > now} /\ UNCHANGED v
    IN now \in Real /\ [][Passes]_now /\ \A bound \in Real : WF_now(Passes /\ now' > bound)
===============================================================================
