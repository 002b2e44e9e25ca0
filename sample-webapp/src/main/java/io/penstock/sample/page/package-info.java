/** Creates safe markup, and pages with a common frame. */
package io.penstock.sample.page;
