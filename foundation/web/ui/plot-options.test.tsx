import { expect, it } from 'vitest'
import { optionsOf } from './plot-options.ts'

const axisOf = (values: readonly number[]) =>
  optionsOf({
    color: () => '',
    font: '',
    ticks: ['1', '2'],
    series: [{ name: 'Tickets', color: '--accent', values }],
    look: 'lines',
    writeTick: String,
    choose: () => {},
  }).axes?.[1]?.incrs

it('has no one and a half tickets on the axis of a count, and finer steps for what is measured', () => {
  expect(axisOf([1, 2])).toEqual(expect.arrayContaining([1, 2, 5, 10, 20, 50]))
  expect(axisOf([1, 2]), 'whole ones alone').toSatisfy((steps: number[]) => steps.every(Number.isInteger))
  expect(axisOf([0.5, 2])).toBeUndefined()
})
