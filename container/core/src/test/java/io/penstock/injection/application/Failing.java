package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/** A class whose lifecycle methods fail. The method for PostConstruct fails only if the test requires it. */
public class Failing {
    public static boolean endless = true;

    @PostConstruct
    void begin() {
        if (endless) {
            throw new IllegalStateException("no way to begin");
        }
    }

    @PreDestroy
    void end() {
        throw new IllegalStateException("no way to end");
    }
}
