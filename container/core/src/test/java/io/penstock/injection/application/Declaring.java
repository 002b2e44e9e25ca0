package io.penstock.injection.application;

import jakarta.annotation.Resource;
import jakarta.annotation.Resources;

/** A class with annotations that declare resources without an injection target, and one resource with a target. */
@Resource(name = "jdbc/one", type = javax.sql.DataSource.class)
@Resources({
    @Resource(name = "jdbc/two", type = javax.sql.DataSource.class, lookup = "java:global/two"),
    @Resource(name = "three", type = String.class)
})
public class Declaring {
    @Resource
    public javax.sql.DataSource orders;
}
