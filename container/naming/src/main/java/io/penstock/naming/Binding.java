package io.penstock.naming;

import io.penstock.environment.Reference;

/** What stands behind one name. */
sealed interface Binding {

    /** An object. */
    record Value(Object object) implements Binding {}

    /** Another name, or whatever the server has for this one. */
    record Link(Reference reference) implements Binding {}

    /** A data source, made when it is first asked for. */
    record Pooled(PooledSource source) implements Binding {}
}
