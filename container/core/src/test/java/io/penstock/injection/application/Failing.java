package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/** A class whose lifecycle methods throw exceptions. The PostConstruct method throws only if {@link #failsInPostConstruct} is true. */
public class Failing {
    public static boolean failsInPostConstruct = true;

    @PostConstruct
    void begin() {
        if (failsInPostConstruct) {
            throw new IllegalStateException("no way to begin");
        }
    }

    @PreDestroy
    void end() {
        throw new IllegalStateException("no way to end");
    }
}
