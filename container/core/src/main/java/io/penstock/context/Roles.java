package io.penstock.context;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The role names that the descriptor and the application's code declare. Thread: any; each change creates a new set. */
final class Roles {
    private volatile Set<String> names;

    Roles(Set<String> declared) {
        names = Collections.unmodifiableSet(new LinkedHashSet<>(declared));
    }

    synchronized void declare(Collection<String> more) {
        Set<String> next = new LinkedHashSet<>(names);
        next.addAll(more);
        names = Collections.unmodifiableSet(next);
    }

    Set<String> names() {
        return names;
    }
}
