package io.penstock.deploy.application;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Sub classes inherit it. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
public @interface Marked {}
