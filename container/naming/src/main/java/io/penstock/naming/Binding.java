package io.penstock.naming;

import io.penstock.environment.Reference;

/** The target of one name. */
sealed interface Binding {

    /** An object. */
    record Value(Object object) implements Binding {}

    /** A reference. If it has a look-up name, it refers to that name. Otherwise, it refers to the server's object of the same name. */
    record Link(Reference reference) implements Binding {}

    /** A data source, created at its first look-up. */
    record Pooled(PooledSource source) implements Binding {}
}
