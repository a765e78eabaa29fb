package mutant

// OpenLocked opens the mutant lock-in-process with so many handles.
var OpenLocked = openLocked
