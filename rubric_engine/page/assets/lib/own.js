// A value under a name that others chose: `constructor` and `__proto__` are names like any other,
// and no object has a value under them unless somebody put it there.
RE.own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
