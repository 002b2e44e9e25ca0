package io.penstock.security;

import io.penstock.request.Identity;

/** What came of trying to log in. */
sealed interface Attempt {

    record Succeeded(Identity user) implements Attempt {}

    /** Name, password or certificate is wrong; nobody is told which. */
    record Failed() implements Attempt {}

    /** Too many have failed before: not even looked at. */
    record LockedOut(int seconds) implements Attempt {}

    /** As many passwords as may are being checked: this one has not been looked at. */
    record Busy() implements Attempt {}
}
