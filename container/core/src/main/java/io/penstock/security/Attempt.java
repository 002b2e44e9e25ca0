package io.penstock.security;

import io.penstock.request.Identity;

/** The result of a login attempt. */
sealed interface Attempt {

    record Succeeded(Identity user) implements Attempt {}

    /** Name, password or certificate is wrong. The client does not learn which. */
    record Failed() implements Attempt {}

    /** Too many attempts have failed before: this one was not checked. */
    record LockedOut(int seconds) implements Attempt {}

    /** The largest number of password checks is running: this one was not checked. */
    record Busy() implements Attempt {}
}
