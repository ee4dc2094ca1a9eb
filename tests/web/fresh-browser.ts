// The storage is emptied before each file, and before what it imports: what a page before has kept in the browser is not for the
// next one.
localStorage.clear()
sessionStorage.clear()
