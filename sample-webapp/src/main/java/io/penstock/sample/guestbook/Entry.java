package io.penstock.sample.guestbook;

import java.time.Instant;

/** The entry of one guest. */
record Entry(String name, String message, Instant at) {
    static final int LONGEST_NAME = 60;
    static final int LONGEST_MESSAGE = 500;

    Entry {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("Please give a name of at most " + LONGEST_NAME + " characters.");
        }
        if (message.isBlank() || message.length() > LONGEST_MESSAGE) {
            throw new IllegalArgumentException("Please write a message of at most " + LONGEST_MESSAGE + " characters.");
        }
    }
}
