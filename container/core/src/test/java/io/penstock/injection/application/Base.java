package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import java.util.ArrayList;
import java.util.List;

/**
 * A class with annotations for the injection of a field and a setter, and for lifecycle methods. {@link #calls} has the calls of the
 * setter and of the lifecycle methods, in order.
 */
public class Base {
    public final List<String> calls = new ArrayList<>();

    @Resource(name = "greeting")
    private String greeting;

    private Integer number;

    @Resource(name = "number")
    private void setNumber(Integer given) {
        calls.add("number");
        number = given;
    }

    @PostConstruct
    private void begin() {
        calls.add("base begins with " + greeting + " " + number);
    }

    @PreDestroy
    void end() {
        calls.add("base ends");
    }

    public String greeting() {
        return greeting;
    }
}
