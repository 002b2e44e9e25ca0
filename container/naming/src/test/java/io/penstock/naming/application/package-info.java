/** A web application. */
package io.penstock.naming.application;
