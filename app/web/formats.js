// All that the first script does where it is a worker's (first.js says why).
Intl.DateTimeFormat().format()
Intl.NumberFormat().format(0)
close()
