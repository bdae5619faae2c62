// The sign-in panel: an application with accounts replaces this module.

export function showSession() {}
