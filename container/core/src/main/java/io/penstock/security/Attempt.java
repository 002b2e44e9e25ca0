package io.penstock.security;

import io.penstock.request.Identity;

/** The result of a login attempt. */
sealed interface Attempt {

    record Succeeded(Identity user) implements Attempt {}

    /** The name, password or certificate is wrong. The response does not reveal which of them is wrong. */
    record Failed() implements Attempt {}

    /** Too many earlier attempts have failed, so this attempt was not checked. */
    record LockedOut(int seconds) implements Attempt {}

    /** The maximum number of password checks is running, so this attempt was not checked. */
    record Busy() implements Attempt {}
}
