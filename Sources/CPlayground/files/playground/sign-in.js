// The panel that signs in and out: an application that has accounts puts a module of its own in this one's place.

export function showSession() {}
