package io.penstock.injection.application;

import jakarta.annotation.PreDestroy;

/** Takes the place of a method that would be called. */
public class Overriding extends Derived {
    /** No annotation: nothing is called any more. */
    @Override
    public void beginToo() {
        told.add("overriding begins");
    }

    @Override
    @PreDestroy
    public void endToo() {
        told.add("overriding ends");
    }
}
