package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import java.util.ArrayList;
import java.util.List;

/** A class with annotations for the injection of a field and a setter, and for lifecycle methods. */
public class Base {
    public final List<String> told = new ArrayList<>();

    @Resource(name = "greeting")
    private String greeting;

    private Integer number;

    @Resource(name = "number")
    private void setNumber(Integer given) {
        told.add("number");
        number = given;
    }

    @PostConstruct
    private void begin() {
        told.add("base begins with " + greeting + " " + number);
    }

    @PreDestroy
    void end() {
        told.add("base ends");
    }

    public String greeting() {
        return greeting;
    }
}
