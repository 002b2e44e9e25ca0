package io.penstock.loadtest.compare.users;

import java.util.Locale;

/** The contents that users request. */
enum Asked {
    TEXT("/files/text.txt", "a text file of 4 KB"),
    SERVLET("/hello", "a servlet that answers 13 bytes");

    /** The size of the text file, in bytes. */
    static final long TEXT_LENGTH = 4096;

    /** The name of the text file in the folder that the servers serve. */
    static final String TEXT_NAME = "text.txt";

    private final String path;
    private final String description;

    Asked(String path, String description) {
        this.path = path;
        this.description = description;
    }

    /** The name of the content on the command line and in the names of files. */
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
