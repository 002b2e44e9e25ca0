package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;

/** A subclass with further annotations for injection and lifecycle methods. */
public class Derived extends Base {
    @Resource
    public int limit = 7;

    @Resource(lookup = "java:global/shared")
    public Object shared;

    @PostConstruct
    public void beginToo() {
        calls.add("derived begins");
    }

    @PreDestroy
    public void endToo() {
        calls.add("derived ends");
    }
}
