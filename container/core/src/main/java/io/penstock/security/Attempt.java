package io.penstock.security;

import io.penstock.request.Identity;

/** The result of a login attempt. */
sealed interface Attempt {

    record Succeeded(Identity user) implements Attempt {}

    /** Name, password or certificate is wrong. The client does not learn which. */
    record Failed() implements Attempt {}

    /** Too many attempts have failed before, so this one was not checked. */
    record LockedOut(int seconds) implements Attempt {}

    /** As many password checks run as are allowed, so this one was not checked. */
    record Busy() implements Attempt {}
}
