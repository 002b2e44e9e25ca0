package io.penstock.loadtest.compare.users;

import java.util.Locale;

/** The contents that users request. */
enum Asked {
    TEXT("/files/text.txt", "a text file of 4 KB"),
    SERVLET("/hello", "a servlet that answers 13 bytes");

    /** Bytes of the text file. */
    static final long TEXT_LENGTH = 4096;

    /** Its name in the folder of content. */
    static final String TEXT_NAME = "text.txt";

    private final String path;
    private final String description;

    Asked(String path, String description) {
        this.path = path;
        this.description = description;
    }

    /** The name on the command line and in files' names. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    String path() {
        return path;
    }

    String description() {
        return description;
    }
}
