/** Classes of the web applications that the tests create. */
@NullMarked
package io.penstock.jsp.application;

import org.jspecify.annotations.NullMarked;
