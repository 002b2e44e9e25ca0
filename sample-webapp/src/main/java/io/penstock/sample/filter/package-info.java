/** The filters of this application. Each request passes through these filters. */
package io.penstock.sample.filter;
