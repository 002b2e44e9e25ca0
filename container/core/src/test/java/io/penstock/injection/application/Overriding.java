package io.penstock.injection.application;

import jakarta.annotation.PreDestroy;

/** Overrides both lifecycle methods of its superclass. */
public class Overriding extends Derived {
    /** This method has no annotation, so the container does not call it. */
    @Override
    public void beginToo() {
        calls.add("overriding begins");
    }

    @Override
    @PreDestroy
    public void endToo() {
        calls.add("overriding ends");
    }
}
