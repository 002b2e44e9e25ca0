/** Example classes of an application. */
package io.penstock.injection.application;
