package io.penstock.metrics;

import java.util.Locale;

/** The successive stages of a request. */
public enum Stage {
    HEAD("its head arrived"),
    BODY("its body arrived"),
    QUEUE("it waited for a worker"),
    SERVICE("the application served it"),
    DRAIN("its client took the answer");

    private final String meaning;

    Stage(String meaning) {
        this.meaning = meaning;
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A description of the stage. */
    public String meaning() {
        return meaning;
    }
}
