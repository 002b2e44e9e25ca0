package io.penstock.naming;

import io.penstock.environment.Reference;

/** The target of one name. */
sealed interface Binding {

    /** An object. */
    record Value(Object object) implements Binding {}

    /**
     * A reference with a look-up name refers to that name. A reference without a look-up name refers to the server's object of the same
     * name.
     */
    record Link(Reference reference) implements Binding {}

    /** A data source, created at its first look-up. */
    record Pooled(PooledSource source) implements Binding {}
}
