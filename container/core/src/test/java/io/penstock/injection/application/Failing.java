package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/** Fails in PostConstruct and in PreDestroy. */
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
