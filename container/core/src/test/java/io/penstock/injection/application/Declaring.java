package io.penstock.injection.application;

import jakarta.annotation.Resource;
import jakarta.annotation.Resources;

/** The annotations at this class only declare resources. The annotation of its field also injects a resource. */
@Resource(name = "jdbc/one", type = javax.sql.DataSource.class)
@Resources({
    @Resource(name = "jdbc/two", type = javax.sql.DataSource.class, lookup = "java:global/two"),
    @Resource(name = "three", type = String.class)
})
public class Declaring {
    @Resource
    public javax.sql.DataSource orders;
}
