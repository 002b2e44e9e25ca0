/** The filters of this application. Each request passes through them. */
package io.penstock.sample.filter;
