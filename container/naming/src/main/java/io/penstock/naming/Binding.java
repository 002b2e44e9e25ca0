package io.penstock.naming;

import io.penstock.environment.Reference;

/** The target of one name. */
sealed interface Binding {

    /** An object. */
    record Value(Object object) implements Binding {}

    /** Another name, or the server's object for this name. */
    record Link(Reference reference) implements Binding {}

    /** A data source, created at its first look-up. */
    record Pooled(PooledSource source) implements Binding {}
}
